import type { Download } from '@gatehouse/proto/declaring/resource.ts'

/** Returns the HTML of an e-mail as a page for a frame, whose links lead nowhere: sandboxed frames open no windows. */
export function frameOf(html: string): Download {
  return { bytes: Buffer.from(html.replace('<head>', '<head><base target="_blank">')) }
}
