/** What clients of the protocol send along. Opaque, public by design: it names the application, it grants nothing. */
export const publishableKey = 'sb_publishable_front_counter'
