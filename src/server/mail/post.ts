import type { DkimSigner, HeaderField } from './dkim.ts'
import { writeMessage } from './message.ts'
import type { MailTransport, Outcome } from './transport.ts'

/** What letters go out through: signs them and hands them to the mail server, or in the sandbox to the outbox. */
export type Post = Pick<MailTransport, 'slots' | 'ready' | 'trouble' | 'close'> & {
  from: { name: string; address: string }
  send(to: string, mail: { headers: readonly HeaderField[]; body: Buffer }): Promise<Outcome>
}

export function createPost(options: { transport: MailTransport; signer: DkimSigner | null; from: Post['from'] }): Post {
  const { transport, signer, from } = options
  return {
    from,
    slots: transport.slots,
    ready: () => transport.ready(),
    trouble: () => transport.trouble(),
    close: () => transport.close(),
    async send(to, { headers, body }) {
      return transport.send({ from: from.address, to, message: await writeMessage(headers, body, signer) })
    },
  }
}
