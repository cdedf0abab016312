import { createMarkdown } from '#server/features/library/content/render-markdown.ts'
import { escapeMarkdown } from '#shared/domain/markdown-text.ts'
import type { CalloutKind } from '#shared/domain/marked-quotations.ts'
import { replaceMergeFields } from '#shared/domain/merge-fields.ts'
import { canReadSection, canReadWhole, visitor } from '#shared/domain/open-sections.ts'
import { openingParagraph } from '#shared/domain/opening-paragraph.ts'
import { verticalLabels } from '#shared/domain/verticals.ts'

export type PostText = {
  slug: string
  worth: string
  intro: string
  sections: readonly Section[]
  closing: string
  question: string
  editorNote: string
}
type Section = {
  heading: string
  summary: string
  body: string
  openToEveryone: boolean
  examples: Partial<Record<string, string>>
}

export const divider = '<!--members-only-->'

/** Who reads a post, in Ghost's words. What is above the divider of a paid post is open. */
export const visibilityOf = ({ sections }: PostText) => (canReadWhole(visitor, sections) ? 'public' : 'paid')

/**
 * The parts of a post that everyone reads, and the others. A post has one divider, so the open sections of a drop come first, and
 * what only members see of the drop itself is below them.
 */
function partsOf({ worth, editorNote, intro, sections, closing, question }: PostText) {
  const [note, asked] = [escapeMarkdown(editorNote), escapeMarkdown(question)]
  const write = (chosen: readonly Section[]) => chosen.flatMap(sectionParts)
  const main = (text: string) => place(text, 2)
  const [before, after] = [
    [note, main(worth)],
    [main(closing), asked],
  ]
  if (canReadWhole(visitor, sections))
    return { open: [...before, main(intro), ...write(sections), ...after], closed: [] }
  const isOpen = (section: Section) => canReadSection(visitor, section)
  return {
    open: [main(intro), ...write(sections.filter(isOpen))],
    closed: [...before, ...write(sections.filter((section) => !isOpen(section))), ...after],
  }
}

function sectionParts({ heading, summary, body, examples }: Section): string[] {
  const title = heading.trim()
  const level = title ? 3 : 2
  return [
    title && `## ${escapeMarkdown(title)}`,
    repeatsBody(summary, body) ? '' : `*${escapeMarkdown(summary)}*`,
    // The import gives a heading without a text itself as its text.
    body.trim() === title ? '' : place(body, level),
    ...Object.entries(examples).flatMap(([vertical, text]) => [
      `${'#'.repeat(level)} ${verticalLabels[vertical as keyof typeof verticalLabels] ?? vertical}`,
      place(text ?? '', level + 1),
    ]),
  ]
}

/** Earlier imports gave sections the beginning of their text as summary. */
function repeatsBody(summary: string, body: string): boolean {
  const words = summary.trim().replace(/…$/, '')
  return words === '' || body.split(/\n\s*\n/).some((paragraph) => openingParagraph(paragraph)?.startsWith(words))
}

/** The whole post as one Markdown text, with a divider where the open part ends. */
function bodyOf(post: PostText): string {
  const { open, closed } = partsOf(post)
  const [above, below] = [open, closed].map((parts) => parts.map((part) => part.trim()).filter(Boolean))
  const between = above?.length && below?.length ? [divider] : []
  return [...(above ?? []), ...between, ...(below ?? [])].join('\n\n')
}

const markdown = createMarkdown()
const codeTokens = new Set(['fence', 'code_block'])

/**
 * A text as it stands below a heading of the size above `level`: larger headings become that large, also underlined ones, and what
 * other programs would read as HTML is escaped. Code stays as it is.
 */
function place(text: string, level: number): string {
  const lines: (string | null)[] = text.split('\n')
  const code = new Set<number>()
  const tokens = markdown.parse(text, {})
  for (const [index, { type, markup, map }] of tokens.entries()) {
    const [from, to] = map ?? [0, 0]
    if (codeTokens.has(type)) for (let line = from; line < to; line += 1) code.add(line)
    if (type !== 'heading_open') continue
    const isUnderlined = !markup.startsWith('#')
    const mark = '#'.repeat(level)
    if (isUnderlined && (markup === '=' ? 1 : 2) < level) {
      lines[from] = `${mark} ${tokens[index + 1]?.content.replaceAll('\n', ' ') ?? ''}`
      lines.fill(null, from + 1, to)
    } else if (!isUnderlined && markup.length < level) lines[from] = (lines[from] ?? '').replace(/#+/, mark)
  }
  return lines.flatMap((line, index) => (line === null ? [] : code.has(index) ? [line] : [escapeHtml(line)])).join('\n')
}

/** Escapes a line outside of its code. */
const escapeHtml = (line: string) =>
  line.replaceAll(
    /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|(?<!\\)<(?=[a-z/!?])(?!https?:|mailto:|[\w.+-]+@)/gi,
    (found, code?: string) => (code ? found : '\\<'),
  )

/** Images are files of the archive and links to drops lead to their files; other pages have the publication's address. */
export function asMarkdown(post: PostText, publicUrl: string): string {
  const own = `${publicUrl}/portal/weekly-drops/${post.slug}`
  return `${bodyOf(post)}\n`
    .replaceAll(/\]\(\/media\/([0-9a-f]{64}\.(?:png|jpg))(?:#\d+x\d+)?/g, '](../images/$1')
    .replaceAll(/\]\(\/files\/(?=[0-9a-f]{64}\.)/g, '](../files/')
    .replaceAll(/\]\(\/portal\/weekly-drops\/([a-z0-9-]+)(?=[)\s])/g, '](../posts/$1.md')
    .replaceAll(/\]\((?=#)/g, `](${own}`)
    .replaceAll(/\]\((?=\/(?!\/))/g, `](${publicUrl}`)
}

const callouts: Readonly<Record<CalloutKind, { color: string; emoji: string }>> = {
  note: { color: 'blue', emoji: 'ℹ️' },
  tip: { color: 'green', emoji: '💡' },
  warning: { color: 'yellow', emoji: '⚠️' },
}

const ghostMarkdown = createMarkdown()
ghostMarkdown.core.ruler.push('ghost_cards', ({ tokens }) => {
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [tokens[index - 1], tokens[index + 1]]
    if (token.type === 'inline' && token.content === divider && before && after) {
      Object.assign(before, { hidden: true })
      Object.assign(after, { hidden: true })
      Object.assign(token, { type: 'html_block', children: null })
    }
    if (token.meta?.isAction) {
      Object.assign(token, {
        tag: 'div',
        attrs: token.nesting === 1 ? [['class', 'kg-card kg-button-card kg-align-left']] : null,
      })
      for (const child of after?.children ?? [])
        if (child.meta?.block === 'button') child.attrSet('class', 'kg-btn kg-btn-accent')
    }
  }
})
ghostMarkdown.renderer.rules.callout_open = (tokens, index) => {
  const { color, emoji } = callouts[(tokens[index]?.meta?.callout ?? 'note') as CalloutKind]
  return `<div class="kg-card kg-callout-card kg-callout-card-${color}"><div class="kg-callout-emoji">${emoji}</div><div class="kg-callout-text">`
}
ghostMarkdown.renderer.rules.callout_close = () => '</div></div><!--callout-->\n'

/** Ghost keeps line breaks in a callout, but no paragraphs and lists. The emoji stands for our label. */
const inCallout = (html: string) =>
  html
    .replaceAll(/<p class="callout-title">.*?<\/p>/g, '')
    .replaceAll('<li>', '• ')
    .replaceAll(/<\/(?:p|h\d|pre|ul|ol|tr)>/g, '<br><br>')
    .replaceAll('</li>', '<br>')
    .replaceAll(/<\/?(?:p|h\d|pre|ul|ol|li|blockquote|div|table|thead|tbody|tr|t[hd])\b[^<>]*>/g, ' ')
    .replaceAll(/(?:\s*<br>){2,}\s*/g, '<br><br>')
    .replaceAll(/^\s*(?:<br>)*|(?:\s*<br>)*\s*$/g, '')

/** HTML for Ghost: cards instead of callouts and buttons, and addresses that its importer replaces. */
export function asGhostHtml(post: PostText, publicUrl: string): string {
  const text = replaceMergeFields(bodyOf(post), ({ fallback }) => fallback)
  const ownDrop = /^(?:\/portal\/weekly-drops|\/drops)\/([a-z0-9-]+)(#.*)?$/
  const addressOf = (address: string) => {
    const path = address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address
    const [, slug, anchor = ''] = ownDrop.exec(path) ?? []
    if (slug) return `__GHOST_URL__/${slug}/${anchor}`
    return path.startsWith('/') ? publicUrl + path : address
  }
  return ghostMarkdown
    .render(text, { topHeading: 2 })
    .replaceAll(/(?<=<div class="kg-callout-text">)([\s\S]*?)(?=<\/div><\/div><!--callout-->)/g, inCallout)
    .replaceAll('</div></div><!--callout-->', '</div></div>')
    .replaceAll(/src="\/media\/([0-9a-f]{64}\.(?:png|jpg))"/g, 'src="/content/images/$1"')
    .replaceAll(/(?<= href=")[^"]*/g, addressOf)
}
