/** `[words](address "title")` in Markdown. Bounded, so that a long text of halves of it is read in time. */
const linkShape = String.raw`\[([^\]]{0,1000})\]\(\s{0,20}<?([^)\s>]{0,2000})(?:[>\s][^)]{0,1000})?\)`
const picture = new RegExp(`!${linkShape}`, 'g')
const linkOrPicture = new RegExp(`(!?)${linkShape}`, 'g')

/** Address of a picture of ours; the part after # holds its size, so that a page can keep the room for it. */
const ours = /^\/media\/([0-9a-f]{64})\.(png|jpg)(?:#(\d{1,5})x(\d{1,5}))?$/

export type OwnImage = { path: string; hash: string; width: number | null; height: number | null }

/** What an address says about a picture of ours; null for any other address. */
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

/** Links and pictures alike, as they are written. */
export const linksIn = (markdown: string) =>
  [...markdown.matchAll(linkOrPicture)].map(([written, mark, words = '', address = '']) => ({
    written,
    isPicture: mark === '!',
    words,
    address,
  }))
