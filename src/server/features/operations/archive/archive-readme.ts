import { archivedTables } from './archived-tables.ts'

/** The README inside the archive. */
export const archiveReadme = (publication: string): string => `# ${publication}: archive of everything

Everything that this publication stores, in formats that other programs read. \`manifest.json\` lists every file with its
size, SHA-256 and number of rows.

| Where | What |
| --- | --- |
| \`members.csv\` | Everyone with an account. The first eight columns are those of Ghost's member import; Ghost ignores the others. UTF-8, comma-separated. |
| \`posts/\` | Published drops as Markdown with YAML front matter. Image links lead to \`images/\`. Everyone can read what is above \`<!--members-only-->\`. |
| \`drafts/\` | Drops whose latest text isn't published, in the same format. |
| \`ghost/posts.zip\` | The same posts as Ghost's import file, with their images. Upload it as it is. |
| \`images/\` | Uploaded images, named by the SHA-256 of their bytes. |
| \`guides/\` | Files of guides: \`<guide>/<version>-<name>\` for uploads, plain names for files that came with the program. |
| \`tools/\` | Test sheets of tools. |
| \`data/\` | All data, one JSON object per line (NDJSON, UTF-8). Times are ISO 8601 in UTC, amounts are in cents. |

## Moving to Ghost
1. Settings > Import/Export > Universal import: upload \`ghost/posts.zip\`.
2. Connect Stripe, if members have plans. Then Members > Import members: upload \`members.csv\`.

## Files in \`data/\`
Rows refer to each other by id: \`userId\` is the \`id\` of a line in \`members.ndjson\`, \`kind\` and \`itemId\` name a line in
\`content-items.ndjson\`.

| File | What |
| --- | --- |
${archivedTables.map(({ file, about }) => `| \`${file}.ndjson\` | ${about} |`).join('\n')}
| \`password-hashes.ndjson\` | Only if it was asked for: hashes of passwords (argon2id or bcrypt) by account. Keep it secret. |

Not in the archive: sessions, second factors, passkeys, links and codes that were emailed, keys, and the security log.
`
