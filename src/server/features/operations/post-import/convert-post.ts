import { linksIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import type { SourcePost } from './source-post.ts'

/** An image in a text, as written there. */
export type Picture = { written: string; words: string; address: string }

export type ConvertedPost = { markdown: string; notes: string[]; pictures: Picture[] }

/** Reads a post's text and converts its HTML. @throws PostFileError */
export async function convertPost(post: SourcePost): Promise<ConvertedPost> {
  const text = await post.read()
  const { markdown, notes } = 'html' in text ? htmlToMarkdown(text.html) : withoutHtml(text.markdown)
  const pictures = linksIn(markdown).flatMap(({ isPicture, written, words, address }) =>
    isPicture && !parseImageAddress(address) ? [{ written, words, address }] : [],
  )
  return { markdown, notes: [...post.notes, ...notes], pictures }
}

/** Converts blocks of HTML in Markdown, which our texts don't have. Everything else of HTML would be shown as text. */
function withoutHtml(source: string): { markdown: string; notes: string[] } {
  const notes: string[] = []
  const markdown = source
    .split(/(```[\s\S]*?```|~~~[\s\S]*?~~~)/)
    .map((part, index) => {
      if (index % 2 === 1) return part
      return part.replaceAll(/^<(?!https?:|mailto:)[a-z!][\s\S]*?(?=\n\s*\n|$(?![\s\S]))/gim, (html) => {
        const converted = htmlToMarkdown(html)
        notes.push('Converted: HTML in the text', ...converted.notes)
        return converted.markdown
      })
    })
    .join('')
  return { markdown, notes: [...new Set(notes)] }
}
