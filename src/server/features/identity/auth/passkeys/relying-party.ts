import type { Config } from '#server/config/config.ts'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * WebAuthn relying party, from the configuration only. IP addresses aren't valid ids, so the sandbox always uses
 * `localhost`.
 */
export function relyingParty({ publicUrl, mode, settings }: Pick<Config, 'publicUrl' | 'mode' | 'settings'>) {
  const { name } = settings.publication
  const url = new URL(publicUrl)
  if (mode === 'production' || !loopback.has(url.hostname)) {
    return { id: url.hostname, name, origins: [url.origin] }
  }
  const port = url.port && `:${url.port}`
  const origins = [...loopback].map((host) => `${url.protocol}//${host}${port}`)
  return { id: 'localhost', name, origins }
}
