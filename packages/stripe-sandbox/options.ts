/** What is there from the beginning; starting again with other values changes it. Amounts are cents. */
export type SandboxSeed = {
  products?: { id: string; name: string; description?: string; metadata?: Record<string, string> }[]
  prices?: { id: string; product: string; unitAmount: number; interval: 'month' | 'year'; lookupKey: string }[]
  /** The endpoint that gets every event. Without a secret one is made up and kept. */
  webhook?: { url: string; secret?: string }
  /** The default portal; without it the portal asks for a configuration, as a new account does. */
  portal?: { products: { product: string; prices: string[] }[]; returnUrl: string }
}

/** How the sandbox is started. */
export type StripeSandboxOptions = {
  /** SQLite file, or ':memory:' for a sandbox that forgets everything when it is closed. */
  dataFile: string
  /** localhost by default, which is both 127.0.0.1 and ::1; only loopback addresses are accepted. */
  host?: string
  /** 0 takes any free port. */
  port: number
  /** Base of checkout, portal and invoice addresses; http://localhost:<port> by default. */
  publicUrl?: string
  /** Nothing by default: an application may create its catalogue through the API. */
  seed?: SandboxSeed
  /** Makes ids follow from this text instead of chance, for runs that can be compared. Secrets stay random. */
  idSeed?: string
  /** Wall clock in milliseconds. */
  now?: () => number
  /** Never receives keys, secrets or card numbers. */
  log?: (message: string, fields?: Record<string, unknown>) => void
}

export type StripeSandbox = {
  url: string
  port: number
  /** What the seeded webhook endpoint signs with; null when none was seeded. */
  webhookSecret: string | null
  close(): Promise<void>
}
