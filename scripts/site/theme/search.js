// Finds sections that hold all words; titles count most. Works from a disk, too: the index is a script.
(function () {
  "use strict";
  var input = document.getElementById("query"), list = document.getElementById("found"), most = 20;
  var root = input.dataset.root;

  function score(entry, words) {
    var title = (entry[1] + " " + entry[2]).toLowerCase(), text = entry[3].toLowerCase(), total = 0;
    for (var w = 0; w < words.length; w++) {
      var inTitle = title.indexOf(words[w]) >= 0, times = text.split(words[w]).length - 1;
      if (!inTitle && times === 0) return 0;
      total += (inTitle ? 20 : 0) + Math.min(times, 10) / Math.log(10 + text.length);
    }
    return total;
  }

  function excerpt(text, word) {
    var at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
    return (at > 0 ? "..." : "") + text.slice(at, at + 180) + (text.length > at + 180 ? "..." : "");
  }

  function show(entry, words) {
    var item = document.createElement("li"), link = document.createElement("a"), small = document.createElement("small");
    link.href = root + entry[0];
    link.textContent = entry[2] ? entry[1] + ": " + entry[2] : entry[1];
    small.textContent = excerpt(entry[3], words[0]);
    item.append(link, small);
    list.append(item);
  }

  function find() {
    var words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.textContent = "";
    list.hidden = words.length === 0;
    if (list.hidden) return;
    var found = searchIndex.map(function (entry) { return [score(entry, words), entry]; })
      .filter(function (pair) { return pair[0] > 0; })
      .sort(function (a, b) { return b[0] - a[0]; });
    found.slice(0, most).forEach(function (pair) { show(pair[1], words); });
    if (!found.length) list.textContent = "Nothing found.";
  }

  input.addEventListener("input", find);
})();
