import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  id: string
  type: string
  body: string
  signature: string
  event: { id: string; type: string; [key: string]: unknown }
}

/** An application's webhook endpoint: records what it receives and responds as configured. */
export type Receiver = {
  url: string
  received: Received[]
  answer: (delivery: Received, count: number) => number | { status: number; location: string }
  close: () => Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const receiver: Receiver = { answer: () => 200, close: async () => {}, received: [], url: '' }
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const event = JSON.parse(body)
      const delivery = {
        body,
        event,
        id: event.id,
        signature: String(request.headers['stripe-signature']),
        type: event.type,
      }
      receiver.received.push(delivery)
      const answer = receiver.answer(delivery, receiver.received.filter((each) => each.id === event.id).length)
      if (typeof answer === 'number') response.writeHead(answer).end()
      else response.writeHead(answer.status, { location: answer.location }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`
  receiver.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return receiver
}
