/** The publication's name, texts and legal footer. No other code repeats them. */
export const publication = {
  name: 'Front Counter',
  tagline: 'Practical AI for franchise owners and leaders',
  description:
    'A weekly newsletter and a members’ library of prompts, guides, and tool picks for people who run franchise locations.',
  /** The sender's address, unless MAIL_FROM is set. */
  senderAddress: 'newsletter@frontcounter.test',
  footer: '© 2025',
  /** Shown in newsletter email in the sandbox until the publisher sets an address. Production has no default. */
  samplePostalAddress:
    'Front Counter (sample address, set yours in newsletter settings)\n100 Sample Street\nSpringfield, IL 62701',
} as const
