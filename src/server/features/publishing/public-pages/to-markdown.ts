import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'
import { shortenGaps } from '#shared/domain/shorten-gaps.ts'

const service = new TurndownService({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced' })
  .use(gfm)
  .remove('nav')

const escapeMarkdown = service.escape.bind(service)
/** Turndown leaves texts such as "<u>", "&copy;" and "1)" as they are, which a reader of Markdown takes for something else. */
service.escape = (text) =>
  escapeMarkdown(text)
    .replaceAll(/<(?=[a-z/!?])|&(?=#?\w+;)/gi, '\\$&')
    .replace(/^(\d+)\)(?=\s)/, '$1\\)')

/** The text of a page as Markdown, without its navigation. */
export const toMarkdown = (html: string): string => service.turndown(shortenGaps(html))
