#!/usr/bin/env bash
# open-graph-scraper 6.12.0 gives an image's width to another image, reorders images, and takes an icon's title for the page's.
#
# A structured property belongs to the image before it (ogp.me, "Arrays"). If the first of three images has no width, the
# second one's goes to the first, the third one's to the second, and images are sorted by what they got. On a page without
# <title>, the <title> of an inline SVG becomes ogTitle. unfurl.js 6.4.0 keeps the images as they are on the page.
#
# Seen on 2026-11-30, Node 24:
#   page: 1.png, 2.png with width 20, 3.png with width 30
#   open-graph-scraper: 2.png 30, 1.png 20, 3.png without
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent open-graph-scraper@6.12.0
cat >check.mjs <<'JS'
import { deepStrictEqual, strictEqual } from 'node:assert'
import scrape from 'open-graph-scraper'

const image = (name, width) =>
  `<meta property="og:image" content="https://a.example/${name}.png">${width ? `<meta property="og:image:width" content="${width}">` : ''}`
const page = `<html><head><title>A</title>${image(1)}${image(2, 20)}${image(3, 30)}</head></html>`
const { result } = await scrape({ html: page })
const found = result.ogImage.map(({ url, width }) => [url.slice(-5), width])
console.log(found)
deepStrictEqual(found, [
  ['2.png', '30'],
  ['1.png', '20'],
  ['3.png', undefined],
])
const icon = await scrape({ html: '<html><body><svg><title>Icon</title></svg><h1>Page</h1></body></html>' })
console.log({ ogTitle: icon.result.ogTitle })
strictEqual(icon.result.ogTitle, 'Icon')
JS
node check.mjs
echo 'unchanged: widths move to other images, and an icon names the page'
