/* libcuda gives the CUDA version that a driver supports, but not the driver's own version. The kernel module and NVML
 * give that. */
#include "cuda/driver.h"
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Returns the length of a version such as "580.159.04" at the start of text: two or more numbers with dots between them
 * and nothing after. Returns 0 when there is none. */
static size_t version_length(const char *text)
{
    size_t length = 0;
    unsigned numbers = 0;
    while (isdigit((unsigned char)text[length])) {
        length += strspn(text + length, "0123456789");
        numbers++;
        if (text[length] != '.' || !isdigit((unsigned char)text[length + 1]))
            break;
        length++;
    }
    bool const ends = text[length] == '\0' || isspace((unsigned char)text[length]);
    return numbers >= 2 && ends ? length : 0;
}

bool driver_version_parse(const char *text, char *version, size_t size)
{
    version[0] = '\0';
    const char *line = strstr(text, "NVRM version:");
    if (!line)
        return false;
    for (line += strlen("NVRM version:"); *line && *line != '\n'; line++) {
        size_t const length = isspace((unsigned char)line[-1]) ? version_length(line) : 0;
        if (length && length < size) {
            memcpy(version, line, length);
            version[length] = '\0';
            return true;
        }
    }
    return false;
}

static bool from_kernel(char *version, size_t size)
{
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (!file)
        return false;
    char text[1024];
    size_t const length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return driver_version_parse(text, version, size);
}

/* NVML's three functions have kept their names and signatures since 2012. They return 0 for success. */
static bool from_nvml(char *version, size_t size)
{
    void *nvml = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!nvml)
        return false;
    int (*start)(void), (*stop)(void), (*ask)(char *, unsigned);
    *(void **)&start = dlsym(nvml, "nvmlInit_v2");
    *(void **)&stop = dlsym(nvml, "nvmlShutdown");
    *(void **)&ask = dlsym(nvml, "nvmlSystemGetDriverVersion");
    bool found = false;
    if (start && stop && ask && start() == 0) {
        found = ask(version, (unsigned)size) == 0;
        stop();
    }
    dlclose(nvml);
    return found;
}

bool driver_version(char *version, size_t size)
{
    if (from_kernel(version, size) || from_nvml(version, size))
        return true;
    version[0] = '\0';
    return false;
}

bool driver_state(const char *bus, struct driver_state *state)
{
    enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0 };
    void *nvml = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL), *device = NULL;
    *state = (struct driver_state){0};
    if (!nvml)
        return false;
    int (*start)(void), (*stop)(void), (*find)(const char *, void **);
    int (*clock)(void *, int, unsigned *), (*temperature)(void *, int, unsigned *);
    *(void **)&start = dlsym(nvml, "nvmlInit_v2");
    *(void **)&stop = dlsym(nvml, "nvmlShutdown");
    *(void **)&find = dlsym(nvml, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&clock = dlsym(nvml, "nvmlDeviceGetClockInfo");
    *(void **)&temperature = dlsym(nvml, "nvmlDeviceGetTemperature");
    bool found = false;
    if (start && stop && find && clock && temperature && start() == 0) {
        found = find(bus, &device) == 0;
        if (found) { /* a clock that NVML does not know stays 0 */
            (void)clock(device, CLOCK_SM, &state->clock_mhz);
            (void)clock(device, CLOCK_MEMORY, &state->memory_clock_mhz);
            (void)temperature(device, TEMPERATURE_GPU, &state->temperature);
        }
        stop();
    }
    dlclose(nvml);
    return found;
}
