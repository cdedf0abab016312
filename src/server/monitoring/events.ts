import { channel } from 'node:diagnostics_channel'

/** Events that the server reports for monitoring. Labels have few values: they never contain ids, addresses or raw paths. */
export type MonitoringEvents = {
  request: { route: string; method: string; status: number; seconds: number }
  signIn: { method: string; outcome: string }
  stripeWebhook: { outcome: string }
  /** Result of one reconciliation with Stripe. */
  stripeReconciliation: { differences: number; failures: number }
  /** A delivery's new status after an attempt. */
  delivery: { outcome: string }
}
type Name = keyof MonitoringEvents

const channelOf = (name: Name) => channel(`front-counter.${name}`)

const channels: Record<Name, ReturnType<typeof channel>> = {
  request: channelOf('request'),
  signIn: channelOf('signIn'),
  stripeWebhook: channelOf('stripeWebhook'),
  stripeReconciliation: channelOf('stripeReconciliation'),
  delivery: channelOf('delivery'),
}

/** Costs almost nothing while metrics are off. */
export function reportEvent<N extends Name>(name: N, event: MonitoringEvents[N]): void {
  if (channels[name].hasSubscribers) channels[name].publish(event)
}

/** Returns the function that ends the subscription. */
export function onEvent<N extends Name>(name: N, listener: (event: MonitoringEvents[N]) => void): () => void {
  const receive = (event: unknown) => listener(event as MonitoringEvents[N])
  channels[name].subscribe(receive)
  return () => void channels[name].unsubscribe(receive)
}
