/** How the sandbox is started; times are milliseconds, amounts cents. */
export type StripeSandboxOptions = {
  /** SQLite file, or ':memory:' for a sandbox that forgets everything when it is closed. */
  dataFile: string
  /** 127.0.0.1 by default; only loopback addresses are accepted. */
  host?: string
  /** 0 takes any free port. */
  port: number
  /** Base of checkout, portal and invoice addresses; http://localhost:<port> by default. */
  publicUrl?: string
  seed: {
    products: { id: string; name: string; description?: string; metadata?: Record<string, string> }[]
    prices: { id: string; product: string; unitAmount: number; interval: 'month' | 'year'; lookupKey: string }[]
    /** The endpoint that gets every event; starting again with other values changes it. */
    webhook: { url: string; secret: string }
    portal: { products: { product: string; prices: string[] }[]; returnUrl: string }
  }
  /** Wall clock in milliseconds. */
  now?: () => number
  /** Never receives keys, secrets or card numbers. */
  log?: (message: string, fields?: Record<string, unknown>) => void
}

export type StripeSandbox = { url: string; port: number; close(): Promise<void> }
