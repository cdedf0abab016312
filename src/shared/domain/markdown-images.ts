/** `[text](address "title")` in Markdown. Bounded, against catastrophic backtracking. */
const linkShape = String.raw`\[([^\]]{0,1000})\]\(\s{0,20}<?([^)\s>]{0,2000})(?:[>\s][^)]{0,1000})?\)`
const picture = new RegExp(`!${linkShape}`, 'g')
const link = new RegExp(linkShape, 'g')

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

/** Links and images, as written and in this order; a linked image is both. */
export function linksIn(markdown: string) {
  const find = (text: string, shape: RegExp, isPicture: boolean) =>
    [...text.matchAll(shape)].map(({ index, 0: { length }, 1: words = '', 2: address = '' }) => {
      const written = markdown.slice(index, index + length)
      const from = isPicture ? 2 : 1
      return { at: index, written, isPicture, words: written.slice(from, from + words.length), address }
    })
  // Without brackets of images, the text of a link around them ends where it should.
  const withoutPictures = markdown.replaceAll(picture, (written) => 'x'.repeat(written.length))
  return [...find(markdown, picture, true), ...find(withoutPictures, link, false)]
    .sort((one, other) => one.at - other.at)
    .map(({ at: _, ...found }) => found)
}
