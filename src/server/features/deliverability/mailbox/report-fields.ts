/**
 * The groups of fields in a delivery status or feedback report, which are written like the header of a mail: one group
 * about the report, then one for each recipient, empty lines between them. Names in lower case.
 */
export function parseReportFields(text: string): ReadonlyMap<string, string>[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .map(
      (group) =>
        new Map(
          group
            .replace(/\n[ \t]+/g, ' ')
            .split('\n')
            .flatMap((line): [string, string][] => {
              const [, name = '', value = ''] = /^([\w-]+)[ \t]*:(.*)$/.exec(line) ?? []
              return name ? [[name.toLowerCase(), value.trim()]] : []
            }),
        ),
    )
    .filter((group) => group.size > 0)
}
