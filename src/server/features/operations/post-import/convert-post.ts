import { linksIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { compareTexts } from './compare-texts.ts'
import { htmlToParts, joinParts } from './html-to-markdown.ts'
import { renderForeign, toOwnMarkdown } from './markdown-blocks.ts'
import type { SourcePost } from './source-post.ts'
import type { Part } from './split-at-marks.ts'

/** An image in a text, as written there. */
export type Picture = { written: string; words: string; address: string }

export type ConvertedPost = { parts: Part[]; notes: string[]; pictures: Picture[] }

/** Reads a post's text and converts its HTML. @throws PostFileError */
export async function convertPost(post: SourcePost): Promise<ConvertedPost> {
  const text = await post.read()
  const cover = htmlToParts(('cover' in text && text.cover) || '', 'public')
  const body = 'html' in text ? htmlToParts(text.html, post.audience) : toOwnMarkdown(text.markdown, post.audience)
  const parts = joinParts([...cover.parts, ...body.parts])
  const markdown = parts.map((part) => part.text).join('\n\n')
  const differences = compareTexts(
    'html' in text ? (text.cover ?? '') + text.html : renderForeign(text.markdown),
    markdown,
  )
  const pictures = linksIn(markdown).flatMap(({ isPicture, written, words, address }) =>
    isPicture && !parseImageAddress(address) ? [{ written, words, address }] : [],
  )
  return { parts, notes: [...post.notes, ...cover.notes, ...body.notes, ...differences], pictures }
}
