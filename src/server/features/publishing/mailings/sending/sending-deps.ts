import type { Deps } from '#server/deps.ts'

export type SendingDeps = Pick<
  Deps,
  'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'newsletterMailer' | 'enqueue'
>
