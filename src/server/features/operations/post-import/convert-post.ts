import { linksIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { findMergeFields, isKnownField } from '#shared/domain/merge-fields.ts'
import { compareTexts } from './compare-texts.ts'
import { mapProse, readForeignSyntax, readMergeFields } from './foreign-syntax.ts'
import { htmlToParts, joinParts } from './html-to-markdown.ts'
import { fileLink } from './import-files.ts'
import { renderForeign, toOwnMarkdown } from './markdown-blocks.ts'
import { showWidgets } from './normalize-html.ts'
import { noOwnLinks, type OwnLinks, type SourcePost } from './source-post.ts'
import type { Part } from './split-at-marks.ts'

/** An image in a text, as written there. */
export type Picture = { written: string; words: string; address: string }

export type ConvertedPost = {
  parts: Part[]
  notes: string[]
  /** What of the text keeps the post a draft. */
  blockers: string[]
  pictures: Picture[]
}

/** Reads a post's text and converts it. @throws PostFileError */
export async function convertPost(post: SourcePost, ownLinks: OwnLinks = noOwnLinks): Promise<ConvertedPost> {
  const text = await post.read()
  const {
    parts: read,
    notes,
    blockers,
    source,
  } = 'html' in text ? readHtml(post, text, ownLinks) : readMarkdown(post, text.markdown)
  const more = new Set<string>()
  const parts = joinParts(
    read.map(({ text: markdown, isOpen }) => {
      const fields = readMergeFields(markdown)
      for (const note of fields.notes) more.add(note)
      return {
        text: mapProse(fields.markdown, (prose) => readLinks(prose, ownLinks, (note) => more.add(note))),
        isOpen,
      }
    }),
  )
  const markdown = parts.map((part) => part.text).join('\n\n')
  const differences = compareTexts(readMergeFields(source).markdown, markdown)
  const pictures = linksIn(markdown).flatMap(({ isPicture, written, words, address }) =>
    isPicture && !parseImageAddress(address) ? [{ written, words, address }] : [],
  )
  return { parts, notes: [...post.notes, ...notes, ...more, ...differences], blockers, pictures }
}

function readHtml(
  { audience }: SourcePost,
  { html, cover = '', notes = [] }: { html: string; cover?: string; notes?: readonly string[] },
  ownLinks: OwnLinks,
) {
  const above = htmlToParts(cover, 'public')
  const body = htmlToParts(html, audience, ownLinks)
  const source = cover + showWidgets(html)
  return {
    parts: [...above.parts, ...body.parts],
    notes: [...notes, ...above.notes, ...body.notes],
    blockers: [],
    source,
  }
}

function readMarkdown({ audience }: SourcePost, written: string) {
  const { markdown, notes, blockers } = readForeignSyntax(written)
  mapProse(readMergeFields(markdown).markdown, (prose) => {
    const unknown = findMergeFields(prose).filter(({ name }) => !isKnownField(name) && !name.startsWith('block:'))
    blockers.push(...unknown.map((field) => `it has code of its old site: ${field.written.slice(0, 60)}`))
    return prose
  })
  const body = toOwnMarkdown(markdown, audience)
  return {
    parts: body.parts,
    notes: [...notes, ...body.notes],
    blockers: [...new Set(blockers)],
    source: renderForeign(markdown),
  }
}

/** Links to other posts lead to their drops. Relative ones to anything else stay words; http becomes https. */
function readLinks(prose: string, ownLinks: OwnLinks, note: (text: string) => void): string {
  let changed = prose
  for (const { isPicture, written, words, address } of linksIn(changed)) {
    if (isPicture || fileLink.test(written)) continue
    const own = ownLinks(address)
    // A title, such as a button's, stays.
    const at = written.lastIndexOf(address)
    const leadTo = (to: string) => written.slice(0, at) + to + written.slice(at + address.length)
    if (/^http:\/\//i.test(address)) changed = changed.replaceAll(written, () => leadTo(`https${address.slice(4)}`))
    else if (own) changed = changed.replaceAll(written, () => leadTo(own))
    else if (!/^(?:https:|mailto:|\/portal\/|\/media\/)/i.test(address)) {
      note(
        address.startsWith('#') ? 'Removed: a link within the text' : 'Removed: a link that only works at the source',
      )
      changed = changed.replaceAll(written, () => words)
    }
  }
  return changed
}
