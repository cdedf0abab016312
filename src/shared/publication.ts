/** The publication's name, words and legal footer. Nothing else in the code spells them out. */
export const publication = {
  name: 'Front Counter',
  tagline: 'Practical AI for franchise owners and leaders',
  description:
    'A weekly letter and a members’ library of prompts, guides and tool picks for people who run franchise locations.',
  /** Address that mail comes from; production overrides it with MAIL_FROM. */
  senderAddress: 'letters@frontcounter.test',
  footer: '© 2025',
  /** Under list email in the sandbox, until the publisher sets one. Production has no default. */
  samplePostalAddress:
    'Front Counter (sample address, set yours in newsletter settings)\n100 Sample Street\nSpringfield, IL 62701',
} as const
