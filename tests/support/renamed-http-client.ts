import Stripe from 'stripe'

/** The sandbox sends webhooks to loopback addresses only, so it gets `to` instead of `from`. */
export function renamed(from: string, to: string) {
  const http = Stripe.createNodeHttpClient()
  const rename = (text: string, one: string, other: string) => text.replaceAll(one, other)
  return {
    getClientName: () => http.getClientName(),
    async makeRequest(...[host, port, path, method, headers, data, ...rest]: Parameters<typeof http.makeRequest>) {
      const sent = rename(String(data ?? ''), encodeURIComponent(from), encodeURIComponent(to))
      const length = { 'Content-Length': String(Buffer.byteLength(sent)) }
      const answer = await http.makeRequest(host, port, path, method, { ...headers, ...length }, sent, ...rest)
      const toJSON = async () => JSON.parse(rename(JSON.stringify(await answer.toJSON()), to, from))
      return Object.assign(Object.create(answer) as typeof answer, { toJSON })
    },
  }
}
