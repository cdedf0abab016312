import { publication } from '#shared/publication.ts'
import { layoutMail, type MailBlock } from './layout.ts'
import type { Mail } from './mail.ts'

/** The last mail to an account: it tells its owner that somebody has ended it, and what that means. */
export function farewellMail({ to }: { to: string }): Mail {
  const lead = `Your account at ${publication.name} was deleted, with everything that was kept in it.`
  const blocks: MailBlock[] = [
    { kind: 'text', text: lead },
    {
      kind: 'list',
      items: [
        'A subscription that was running is canceled now, and nothing is charged any more.',
        'Receipts of past payments are kept as long as the tax law asks.',
        'All devices are signed out, and no letters will come.',
      ],
    },
    { kind: 'text', text: 'Thank you for reading. You are welcome back at any time.' },
    { kind: 'note', text: 'If it was not you, answer this mail, and choose a new password for your mailbox.' },
  ]
  const title = 'Your account is deleted'
  const reason = 'This is the last mail about your account.'
  return { to, subject: `Goodbye from ${publication.name}`, ...layoutMail({ title, preview: lead, blocks, reason }) }
}
