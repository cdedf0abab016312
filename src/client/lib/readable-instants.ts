const instant = /\b\d{4}-\d\d-\d\dT\d\d:[\d:.]+Z/g
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** "Until: none → Jan 31, 2027, 6:59 PM" for a text with ISO 8601 instants, in the browser’s time zone. */
export const readableInstants = (text: string): string =>
  text.replaceAll(instant, (found) => (Number.isNaN(Date.parse(found)) ? found : moment.format(new Date(found))))
