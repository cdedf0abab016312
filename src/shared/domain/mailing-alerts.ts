/** Alert about a mailing that needs the publisher: why it happened, and what to do. */
export type AlertText = { why: string; remedy: string }

/** Why a mailing did not go out and is a draft again. */
export const sendFailureTexts = {
  unpublished: {
    why: 'A drop in it isn’t published.',
    remedy: 'Publish the drop, then send or schedule the mailing again.',
  },
  checks: {
    why: 'The checks before sending found errors that you hadn’t accepted.',
    remedy: 'Fix them in the editor, or send the mailing anyway.',
  },
  noRecipients: {
    why: 'No one in its audience would have received it.',
    remedy: 'Check the audience, then send or schedule the mailing again.',
  },
  postalAddress: {
    why: 'There’s no postal address in the newsletter settings, and US law requires one.',
    remedy: 'Add the address, then send or schedule the mailing again.',
  },
  content: {
    why: 'Its text can’t be turned into an email.',
    remedy: 'Check the preview, fix the text, then send or schedule the mailing again.',
  },
} as const satisfies Record<string, AlertText>

/** Why a mailing paused automatically. */
export const pauseTexts = {
  restored: {
    why: 'This site was restored from a backup, so some readers may already have received it.',
    remedy: 'Stop it, unless you know that it wasn’t sent after the backup was made.',
  },
  bounces: {
    why: 'Too many of the addresses don’t exist.',
    remedy: 'Review the bounced emails before you resume.',
  },
  complaints: {
    why: 'Too many readers reported it as spam.',
    remedy: 'Find out why before you resume.',
  },
  content: {
    why: 'Its text can’t be turned into an email.',
    remedy: 'Stop this mailing, fix the text, and prepare a new one.',
  },
  transport: {
    why: 'The mail server doesn’t accept email right now.',
    remedy: 'Check the mail server, then resume.',
  },
  postalAddress: {
    why: 'There’s no postal address in the newsletter settings, and US law requires one.',
    remedy: 'Add the address in the settings, then resume.',
  },
} as const satisfies Record<string, AlertText>
