import { publicAddress } from '#server/features/publishing/public-pages/public-addresses.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { canReadSection, canReadWhole, visitor } from '#shared/domain/open-sections.ts'

/** An issue's content as free readers get it: what is open of it, linked to public pages, and what members also get. */
export function freeEditionOf(content: MailingContent): MailingContent {
  const { sections, path, changes: _, poll: __, bestAnswers, ...rest } = content
  const open = sections.filter((section) => canReadSection(visitor, section))
  const isWhole = canReadWhole(visitor, sections)
  return {
    ...rest,
    // If nothing is open, free readers get at least the line that is on the public page.
    intro: content.intro || (open.length === 0 ? content.preheader : ''),
    worth: isWhole ? content.worth : '',
    closing: isWhole ? content.closing : '',
    question: isWhole ? content.question : '',
    sections: open.map((section) => ({ ...section, path: section.path && publicAddress(section.path) })),
    path: path && publicAddress(path),
    ...(bestAnswers?.isForEveryone && { bestAnswers }),
    membersAlsoGet: sections.filter((section) => !canReadSection(visitor, section)).map(({ heading }) => heading),
  }
}
