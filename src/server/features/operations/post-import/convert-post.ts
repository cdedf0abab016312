import { linksIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { compareTexts } from './compare-texts.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { renderForeign, toOwnMarkdown } from './markdown-blocks.ts'
import type { SourcePost } from './source-post.ts'

/** An image in a text, as written there. */
export type Picture = { written: string; words: string; address: string }

export type ConvertedPost = { markdown: string; notes: string[]; pictures: Picture[] }

/** Reads a post's text and converts its HTML. @throws PostFileError */
export async function convertPost(post: SourcePost): Promise<ConvertedPost> {
  const text = await post.read()
  const { markdown, notes } = 'html' in text ? htmlToMarkdown(text.html) : toOwnMarkdown(text.markdown)
  const differences = compareTexts('html' in text ? text.html : renderForeign(text.markdown), markdown)
  const pictures = linksIn(markdown).flatMap(({ isPicture, written, words, address }) =>
    isPicture && !parseImageAddress(address) ? [{ written, words, address }] : [],
  )
  return { markdown, notes: [...post.notes, ...notes, ...differences], pictures }
}
