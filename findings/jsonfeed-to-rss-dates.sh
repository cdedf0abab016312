#!/usr/bin/env bash
# jsonfeed-to-rss 3.0.8 writes "Invalid Date" for items without a date, and refuses feeds of version 1.1.
#
# In a JSON Feed date_published is optional (JSON Feed 1.1, "Items"), and so is pubDate in RSS 2.0, which is a date of RFC
# 822 where it's there. The library writes <pubDate>Invalid Date</pubDate>, even if date_modified is known, and readers
# drop the item or take it for new. Version 1.1 of 2020 adds authors and language and keeps what 1 has; the library raises
# an error for it.
#
# Seen on 2026-11-30, Node 24:
#   date_modified alone       <pubDate>Invalid Date</pubDate>
#   neither                   <pubDate>Invalid Date</pubDate>
#   version/1.1               jsonfeed-to-atom: JSON feed version 1 required
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent jsonfeed-to-rss@3.0.8
cat >check.mjs <<'JS'
import { strictEqual, throws } from 'node:assert'
import toRss from 'jsonfeed-to-rss'

const feedOf = (version, dates) => ({
  ...{ version: `https://jsonfeed.org/version/${version}`, title: 'A' },
  ...{ home_page_url: 'https://a.example/', feed_url: 'https://a.example/feed.json' },
  items: [{ id: '1', url: 'https://a.example/1', content_text: 'Text', ...dates }],
})
for (const [dates, seen] of [
  [{ date_published: '2026-11-29T10:00:00Z' }, 'Sun, 29 Nov 2026 10:00:00 GMT'],
  [{ date_modified: '2026-11-29T10:00:00Z' }, 'Invalid Date'],
  [{}, 'Invalid Date'],
]) {
  const [item] = toRss(feedOf('1', dates)).match(/<item>[^]*<\/item>/)
  const [, found] = item.match(/<pubDate>(.*)<\/pubDate>/)
  console.log(dates, '→', found)
  strictEqual(found, seen)
}
throws(() => toRss(feedOf('1.1', {})), /JSON feed version 1 required/)
JS
node check.mjs
echo 'unchanged: items without a date have an invalid one, and 1.1 is refused'
