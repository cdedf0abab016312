/**
 * Parses the field groups of a delivery status or feedback report: one for the report, then one per recipient. Field names
 * are lowercase.
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
