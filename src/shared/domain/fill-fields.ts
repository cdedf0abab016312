const field = /\{(\w+)\}/g

/** Names of the fields in a text: `{plan}` has the name "plan". */
export const fieldsIn = (text: string): string[] => [...text.matchAll(field)].map(([, name = '']) => name)

/** Fills `{name}` fields. A field without a value stays as it is; one with an empty value leaves no double space. */
export function fillFields(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .replaceAll(field, (match, name: string) => values[name] ?? match)
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}
