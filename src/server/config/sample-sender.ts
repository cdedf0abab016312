/** Sender of email in the sandbox, unless MAIL_FROM is set and the publisher has entered an address. */
export const sampleSender = {
  address: 'newsletter@frontcounter.test',
  postalAddress: 'Sample address, set yours in newsletter settings\n100 Sample Street\nSpringfield, IL 62701',
} as const
