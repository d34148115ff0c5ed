// Row hits, misses and conflicts of our streams in Ramulator 2: one request after another, as many a cycle as are
// taken, then ticks until all have been answered. compare.sh builds and runs it.
//   ramulator CONFIG.yaml STREAM        prints hits misses conflicts
#include "ramulator/base/config.h"
#include "ramulator/base/factory.h"
#include "ramulator/frontend/i_frontend.h"
#include "ramulator/memory_system/i_memory_system.h"
#include "streams.h"
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>

using namespace Ramulator;

static uint64_t sum(const std::string &text, const std::string &name)
{
    uint64_t total = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        size_t const at = line.find_first_not_of(" -");
        if (at != std::string::npos && line.compare(at, name.size() + 1, name + ":") == 0)
            total += std::strtoull(line.c_str() + at + name.size() + 1, nullptr, 10);
    }
    return total;
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    ConfigNode config = Config::parse_config_file(arguments[1]);
    int const stream = std::atoi(arguments[2]);
    std::unique_ptr<IFrontEnd> frontend(Factory::create_frontend(config));
    std::unique_ptr<IMemorySystem> memory(Factory::create_memory_system(config));
    frontend->connect_memory_system(memory.get());
    memory->connect_frontend(frontend.get());
    uint64_t answered = 0, sent = 0, ticks = 0;
    auto const answer = [&answered](Request &) { answered++; };
    while (answered < STREAM_REQUESTS && ticks < 100000000) {
        while (sent < STREAM_REQUESTS && frontend->receive_external_requests(
                                             Request::Type::Read, (Addr_t)stream_address(stream, sent), 0, answer, 32))
            sent++;
        memory->tick();
        ticks++;
    }
    frontend->update_stats_recursive();
    memory->update_stats_recursive();
    std::ostringstream stats;
    memory->print_stats(stats);
    if (answered != STREAM_REQUESTS)
        std::cerr << "only " << answered << " answered\n";
    std::printf("%llu %llu %llu\n", (unsigned long long)sum(stats.str(), "row_hits"),
                (unsigned long long)sum(stats.str(), "row_misses"),
                (unsigned long long)sum(stats.str(), "row_conflicts"));
    return answered != STREAM_REQUESTS;
}
