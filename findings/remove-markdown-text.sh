#!/usr/bin/env bash
# remove-markdown 0.7.0 removes addresses, what stands between "<" and ">", and the signs inside code.
#
# In Markdown, <https://a.example> and <a@a.example> are links that show their address (CommonMark 0.31.2, 6.5), "<" before
# a space begins no tag (6.6), and the text of a code span is as it stands (6.1). All of it is text that a page shows. The
# library takes it for tags and emphasis, so that a preview of "profit if a < b and c > d" says "profit if a  d". Escapes
# (2.4) keep their backslash. Its README promises the text without the formatting. marked 18.2.1 shows what is text.
#
# Seen on 2026-11-30, Node 24:
#   Write to <a@a.example>.           Write to .
#   See <https://a.example/x>.        See .
#   profit if a < b and c > d         profit if a  d
#   run `a*b*c`                       run abc
#   5 \* 3                            5 \* 3
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent remove-markdown@0.7.0 marked@18.2.1
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { marked } from 'marked'
import removeMarkdown from 'remove-markdown'

const entities = { lt: '<', gt: '>', amp: '&' }
const shown = (html) => html.replace(/<[^>]+>/g, '').replace(/&(lt|gt|amp);/g, (_, name) => entities[name])
for (const [text, seen, right] of [
  ['Write to <a@a.example>.', 'Write to .', 'Write to a@a.example.'],
  ['See <https://a.example/x>.', 'See .', 'See https://a.example/x.'],
  ['profit if a < b and c > d', 'profit if a  d', 'profit if a < b and c > d'],
  ['run `a*b*c`', 'run abc', 'run a*b*c'],
  ['5 \\* 3', '5 \\* 3', '5 * 3'],
]) {
  const found = removeMarkdown(text)
  const other = shown(marked(text)).trim()
  console.log(text, '→', found, '| marked', other)
  strictEqual(found, seen)
  strictEqual(other, right)
}
JS
node check.mjs
echo 'unchanged: addresses and comparisons are removed'
