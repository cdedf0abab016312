import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'
import { shortenGaps } from '#shared/domain/shorten-gaps.ts'

const service = new TurndownService({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced' })
  .use(gfm)
  .remove('nav')

/** The text of a page as Markdown, without its navigation. */
export const toMarkdown = (html: string): string => service.turndown(shortenGaps(html))
