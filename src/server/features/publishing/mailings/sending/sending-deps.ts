import type { Deps } from '#server/feature.ts'

export type SendingDeps = Pick<
  Deps,
  'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'newsletterMailer' | 'enqueue'
>
