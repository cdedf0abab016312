import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { parse } from 'yaml'
import { pickSamples } from './pick-samples.ts'

const moduleId = 'virtual:landing-samples'
const content = join(import.meta.dirname, '../../content')

function readYaml(...path: string[]): unknown {
  const file = join(content, ...path)
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`Landing samples: content/${path.join('/')} could not be read.`, { cause: error })
  }
}

const readFolder = (folder: string) =>
  readdirSync(join(content, folder))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readYaml(folder, file))

/** The one door between content/ and the browser: a virtual module that holds the chosen samples and nothing else. */
export const landingSamples = (): Plugin => ({
  name: 'front-counter:landing-samples',
  resolveId: (id) => (id === moduleId ? `\0${moduleId}` : undefined),
  load(id) {
    if (id !== `\0${moduleId}`) return
    const samples = pickSamples({
      choice: readYaml('samples.yaml'),
      drops: readFolder('drops'),
      categories: readFolder('prompts'),
      guides: readYaml('guides.yaml'),
      tools: readYaml('tools.yaml'),
    })
    return `export default ${JSON.stringify(samples)}`
  },
})
