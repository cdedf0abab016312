/** `[text](address "title")` in Markdown. Bounded, against catastrophic backtracking. */
const linkShape = String.raw`\[([^\]]{0,1000})\]\(\s{0,20}<?([^)\s>]{0,2000})(?:[>\s][^)]{0,1000})?\)`
const picture = new RegExp(`!${linkShape}`, 'g')
const linkOrPicture = new RegExp(`(!?)${linkShape}`, 'g')

/** URL of an uploaded image. The fragment has its size, so that pages can reserve the space. */
const ours = /^\/media\/([0-9a-f]{64})\.(png|jpg)(?:#(\d{1,5})x(\d{1,5}))?$/

export type OwnImage = { path: string; hash: string; width: number | null; height: number | null }

/** Parses the URL of an uploaded image; null for any other URL. */
export function parseImageAddress(address: string): OwnImage | null {
  const [, hash, extension, width, height] = ours.exec(address) ?? []
  if (!hash) return null
  return {
    path: `/media/${hash}.${extension}`,
    hash,
    width: width ? Number(width) : null,
    height: height ? Number(height) : null,
  }
}

export const imagesIn = (markdown: string): { alt: string; address: string }[] =>
  [...markdown.matchAll(picture)].map(([, alt = '', address = '']) => ({ alt: alt.trim(), address }))

/** Links and images, as written. */
export const linksIn = (markdown: string) =>
  [...markdown.matchAll(linkOrPicture)].map(([written, mark, words = '', address = '']) => ({
    written,
    isPicture: mark === '!',
    words,
    address,
  }))
