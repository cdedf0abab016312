#!/usr/bin/env bash
# html-to-text 10.0.1 numbers lists otherwise than a browser, and joins a term with its definition.
#
# <li value> and <ol reversed> are HTML (4.4.5 and 4.4.8 of its standard), and the numbers are part of what readers see:
# "see step 5". The library honors start and type alone. <dl> has no format of its own, so "Fee" and "Six percent" become
# one word. Turndown 7.2.5 counts alike, and keeps term and definition apart.
#
# Seen on 2026-11-30, Node 24:
#   <ol><li value="5">a</li><li>b</li></ol>       " 1. a\n 2. b"
#   <ol reversed><li>a</li><li>b</li></ol>        " 1. a\n 2. b"
#   <dl><dt>Fee</dt><dd>Six percent</dd></dl>     "FeeSix percent"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent html-to-text@10.0.1 turndown@7.2.5
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { convert } from 'html-to-text'
import Turndown from 'turndown'

for (const [html, text, markdown] of [
  ['<ol><li value="5">a</li><li>b</li></ol>', ' 1. a\n 2. b', '1.  a\n2.  b'],
  ['<ol reversed><li>a</li><li>b</li></ol>', ' 1. a\n 2. b', '1.  a\n2.  b'],
  ['<dl><dt>Fee</dt><dd>Six percent</dd></dl>', 'FeeSix percent', 'Fee\n\nSix percent'],
]) {
  const found = [convert(html), new Turndown().turndown(html)]
  console.log(html, found)
  strictEqual(found[0], text)
  strictEqual(found[1], markdown)
}
JS
node check.mjs
echo 'unchanged: numbers differ from a browser, and terms run into definitions'
