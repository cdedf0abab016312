import { breakLinks } from '../break-links.ts'
import type { Email } from '../mailer.ts'
import type { MaybeBlock } from '../render-email.ts'
import { type OptionalEmail, optionalEmail, shortened } from './assignment-emails.ts'
import { defineEmailTexts } from './email-texts.ts'

/** The page shows the rest. */
const maxListed = 6
const maxWords = 300

export type EmailedReply = {
  id: string
  issueId: string
  /** Title of the drop. */
  drop: string
  name: string
  words: string
  /** True if the editor answers a question of the recipient. */
  answersQuestion: boolean
}

const repliesTexts = defineEmailTexts('Answers', 'replies', 'Replies to someone’s answers', {
  subject: '{what}',
  title: '{what}',
  preview: 'Read it with the rest of the conversation.',
  lead: 'This is new under what you wrote:',
  button: 'Open the conversation',
})

/** Tells one person, in one email, what others replied to their answers. */
export function repliesEmail({ replies, ...about }: OptionalEmail & { replies: readonly EmailedReply[] }): Email {
  const { publicUrl } = about.config
  const [first, ...others] = replies
  const linkOf = ({ id, issueId }: EmailedReply) => `${publicUrl}/talk/${encodeURIComponent(issueId)}#answer-${id}`
  const what =
    first && others.length === 0
      ? `${breakLinks(shortened(first.name))} ${first.answersQuestion ? 'answered your question' : 'replied to your answer'}`
      : `${replies.length} new replies to your answers`
  const { lead, button, ...texts } = repliesTexts(about.config, { what })
  return optionalEmail(about, {
    ...texts,
    department: 'Answers',
    blocks: [
      lead,
      ...replies.slice(0, maxListed).flatMap((reply): MaybeBlock[] => [
        { kind: 'links', links: [{ label: breakLinks(reply.name), href: linkOf(reply), detail: reply.drop }] },
        { kind: 'note', text: breakLinks(cut(reply.words)) },
      ]),
      replies.length > maxListed && { kind: 'note', text: `And ${replies.length - maxListed} more.` },
      first && { kind: 'button', label: button, href: linkOf(first) },
    ],
    reason: 'You get this email because you wrote an answer. You can turn emails about replies off.',
  })
}

const cut = (words: string) => (words.length > maxWords ? `${words.slice(0, maxWords).trimEnd()}…` : words)
