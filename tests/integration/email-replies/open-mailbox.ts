import type { AddressInfo } from 'node:net'
import hoodiecrow from 'hoodiecrow-imap'
import { onTestFinished } from 'vitest'

/** A mail server over the wire, with these emails. */
export async function openMailbox(...raws: (string | Buffer)[]) {
  const messages = raws.map((raw) => ({ raw: typeof raw === 'string' ? raw : raw.toString('latin1') }))
  const imap = hoodiecrow({ plugins: ['UNSELECT', 'IDLE', 'UIDPLUS'], storage: { INBOX: { messages } } })
  await new Promise<void>((resolve) => imap.listen(0, resolve))
  onTestFinished(() => new Promise<void>((resolve) => imap.close(resolve)))
  const { port } = imap.server.address() as AddressInfo
  const address = `imap://testuser:testpass@127.0.0.1:${port}/INBOX`
  const put = (raw: string, receivedAt: Date | '' = '') => imap.appendMessage('INBOX', [], receivedAt, raw)
  return { imap, address, put }
}
