#!/usr/bin/env bash
# turndown 7.2.5 writes Markdown that means something else: "1) …" becomes a list, and preformatted text loses its lines.
#
# A number with a parenthesis begins a list in CommonMark (0.31.2, 5.2) like one with a period, which turndown escapes.
# <pre> without <code> inside is written as a paragraph, so its lines are joined and its spaces collapse.
# marked 18.2.1 renders both.
#
# Seen on 2026-11-30, Node 24:
#   <p>1) We called</p>          1) We called        rendered: an ordered list
#   <p>1. We called</p>          1\. We called       rendered: a paragraph
#   <pre>Rent   900\nPay    40</pre>   two lines of plain text   rendered: a paragraph
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent turndown@7.2.5 marked@18.2.1
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import { marked } from 'marked'
import Turndown from 'turndown'

for (const [html, seen] of [
  ['<p>1) We called</p>', ['1) We called', '<ol>']],
  ['<p>1. We called</p>', ['1\\. We called', '<p>1']],
  ['<pre>Rent   900\nPay    40</pre>', ['Rent   900\nPay    40', '<p>R']],
]) {
  const markdown = new Turndown().turndown(html)
  const found = [markdown, marked.parse(markdown).slice(0, 4)]
  console.log(html, found)
  deepStrictEqual(found, seen)
}
JS
node check.mjs
echo 'unchanged: a sentence becomes a list, and preformatted text a paragraph'
