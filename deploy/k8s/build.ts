import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findOperatorTool } from '@gatehouse/local/operator-tools'
import { parseAllDocuments } from 'yaml'
import type { Manifest } from './manifest.ts'

/** Builds a folder with kustomize, without a cluster. Throws what kustomize says when it does not like the folder. */
export async function build(folder: string, log: (line: string) => void): Promise<Manifest[]> {
  const kubectl = await findOperatorTool('kubectl', log)
  const { stdout } = await promisify(execFile)(kubectl, ['kustomize', folder], { maxBuffer: 64 * 1024 ** 2 })
  return manifestsIn(stdout)
}

/** The objects of a YAML text. */
export function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) throw problem
    return document.toJS() as Manifest
  })
}
