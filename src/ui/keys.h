/* Keys by place, as USB usage ids (HID usage tables, page 7): the same key on every layout. */
#ifndef LANESCOPE_UI_KEYS_H
#define LANESCOPE_UI_KEYS_H
enum { MODIFIER_SHIFT = 1, MODIFIER_CONTROL = 2, MODIFIER_ALT = 4 };
enum {
    KEY_A = 4,
    KEY_B = KEY_A + 1,
    KEY_C = KEY_A + 2,
    KEY_D = KEY_A + 3,
    KEY_E = KEY_A + 4,
    KEY_F = KEY_A + 5,
    KEY_G = KEY_A + 6,
    KEY_H = KEY_A + 7,
    KEY_I = KEY_A + 8,
    KEY_J = KEY_A + 9,
    KEY_K = KEY_A + 10,
    KEY_L = KEY_A + 11,
    KEY_M = KEY_A + 12,
    KEY_N = KEY_A + 13,
    KEY_O = KEY_A + 14,
    KEY_P = KEY_A + 15,
    KEY_R = KEY_A + 17,
    KEY_S = KEY_A + 18,
    KEY_T = KEY_A + 19,
    KEY_U = KEY_A + 20,
    KEY_V = KEY_A + 21,
    KEY_W = KEY_A + 22,
    KEY_X = KEY_A + 23,
    KEY_Z = KEY_A + 25,
    KEY_1 = 30,
    KEY_6 = 35,
    KEY_0 = 39,
    KEY_ENTER = 40,
    KEY_ESCAPE = 41,
    KEY_BACKSPACE = 42,
    KEY_TAB = 43,
    KEY_SPACE = 44,
    KEY_MINUS = 45,
    KEY_EQUALS = 46,
    KEY_LEFT_BRACKET = 47,
    KEY_RIGHT_BRACKET = 48,
    KEY_SEMICOLON = 51,
    KEY_APOSTROPHE = 52,
    KEY_PERIOD = 55,
    KEY_SLASH = 56,
    KEY_F1 = 58,
    KEY_F5 = 62,
    KEY_F6 = 63,
    KEY_F11 = 68,
    KEY_HOME = 74,
    KEY_PAGE_UP = 75,
    KEY_END = 77,
    KEY_PAGE_DOWN = 78,
    KEY_RIGHT = 79,
    KEY_LEFT = 80,
    KEY_DOWN = 81,
    KEY_UP = 82,
    KEY_PAD_MINUS = 86,
    KEY_PAD_PLUS = 87,
    KEY_PAD_ENTER = 88,
    KEY_PAD_1 = 89,
    KEY_PAD_0 = 98
};

/* Returns the digit of the key, -1 if it has none. */
static inline int key_digit(int key)
{
    if (key >= KEY_1 && key <= KEY_0)
        return (key - KEY_1 + 1) % 10;
    return key >= KEY_PAD_1 && key <= KEY_PAD_0 ? (key - KEY_PAD_1 + 1) % 10 : -1;
}
#endif
