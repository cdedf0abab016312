/**
 * Links that open a feed in podcast apps. Most take the address without `https://`. None goes through an app's website, which
 * would learn the address of a private feed.
 */
export function podcastLinks(url: string): { label: string; href: string }[] {
  const bare = url.replace(/^https?:\/\//, '')
  return [
    { label: 'Apple Podcasts', href: `podcast://${bare}` },
    { label: 'Overcast', href: `overcast://x-callback-url/add?url=${encodeURIComponent(url)}` },
    { label: 'Pocket Casts', href: `pktc://subscribe/${bare}` },
    { label: 'AntennaPod', href: `antennapod-subscribe://${bare}` },
  ]
}
