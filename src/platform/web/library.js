// What the program asks of the page: see web.h. page.js has the functions.
mergeInto(LibraryManager.library, {
  page_advance: function (role, code) { return Module.page.advance(role, code); },
  page_ink: function (role, below) { return Module.page.ink(role, below); },
  page_paint: function (numbers, count, width, height) {
    Module.page.paint(HEAPF32.subarray(numbers >> 2, (numbers >> 2) + count), width, height);
  },
  page_save: function (numbers, count, width, height, name) {
    Module.page.save(HEAPF32.subarray(numbers >> 2, (numbers >> 2) + count), width, height, UTF8ToString(name));
  },
  page_title: function (title) { Module.page.title(UTF8ToString(title)); },
  page_fullscreen: function (on) { Module.page.fullscreen(on); },
  page_pointer: function (shown) { Module.page.pointer(shown); },
  page_choose: function () { return Module.page.choose(); },
  page_copy: function (text) { return Module.page.copy(UTF8ToString(text)); },
});
