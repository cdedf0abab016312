/** Clients of the protocol send this key along. Opaque, public by design: it names the application, it grants nothing. */
export const publishableKey = 'sb_publishable_front_counter'
