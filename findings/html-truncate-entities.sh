#!/usr/bin/env bash
# html-truncate 1.2.2 cuts entities and comments in the middle, drops pictures, and closes <hr>.
#
# Its README asks for well-formed HTML and promises safe tags. "&amp;" is one character (HTML, 13.1.4), and the library
# counts five: "AT&T" ends as "AT&a...". A comment counts as text, and a cut in it leaves "<!...", which swallows the closing tag
# behind it (13.2.5.41). <hr> has no end tag (13.1.2), and an <img> in front of a paragraph is gone. truncate-html 1.2.2 counts
# what readers see.
#
# Seen on 2026-11-30, Node 24:
#   <p>AT&amp;T is here</p>, 4               <p>AT&a...</p>          truncate-html <p>AT&amp;T...</p>
#   <p>a<!-- c -->bcdef</p>, 3               <p>a<!...</p>           truncate-html <p>abc...</p>
#   <img src="x.png"><p>abc def</p>, 5       <p>abc d...</p>         truncate-html with the picture
#   <div>a<hr>b c d e</div>, 4               <div>a<hr>b c...</hr></div>
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent html-truncate@1.2.2 truncate-html@1.2.2
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import truncate from 'html-truncate'
import other from 'truncate-html'

for (const [html, length, seen, right] of [
  ['<p>AT&amp;T is here</p>', 4, '<p>AT&a...</p>', '<p>AT&amp;T...</p>'],
  ['<p>a<!-- c -->bcdef</p>', 3, '<p>a<!...</p>', '<p>abc...</p>'],
  ['<img src="x.png"><p>abc def</p>', 5, '<p>abc d...</p>', '<img src="x.png"><p>abc d...</p>'],
  ['<div>a<hr>b c d e</div>', 4, '<div>a<hr>b c...</hr></div>', '<div>a<hr>b c...</div>'],
]) {
  console.log(html, length, '→ html-truncate', truncate(html, length), 'truncate-html', other(html, length))
  strictEqual(truncate(html, length), seen)
  strictEqual(other(html, length), right)
}
JS
node check.mjs
echo 'unchanged: entities and comments are cut, and pictures dropped'
