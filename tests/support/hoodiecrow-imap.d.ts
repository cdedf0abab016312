/** Types of an IMAP server for tests, as far as we use it. The package has none. */
declare module 'hoodiecrow-imap' {
  import type { Server, Socket } from 'node:net'

  type Message = { raw: string; flags?: string[]; internaldate?: string }
  type Options = { plugins: string[]; storage: Record<string, { messages: Message[] }> }
  export default function hoodiecrow(options: Options): {
    server: Server
    getMailbox(path: string): { messages: { flags: string[]; internaldate: string }[] }
    appendMessage(path: string, flags: string[], internaldate: Date | string, raw: string): void
    setCommandHandler(
      command: string,
      handler: (
        connection: { send(response: object, reason: string): void; socket: Socket },
        request: { tag: string },
        data: unknown,
        done: () => void,
      ) => void,
    ): void
    listen(port: number, listening: () => void): void
    close(closed: () => void): void
  }
}
