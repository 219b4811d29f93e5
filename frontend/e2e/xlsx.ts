import { inflateRawSync } from 'node:zlib'

const LOCAL = 30
const CENTRAL = 46

/** Reads the files of a ZIP archive, by the directory at its end. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf('PK\x05\x06', archive.length, 'latin1')
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let remaining = archive.readUInt16LE(end + 10); remaining > 0; remaining--) {
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    const name = archive.toString('utf8', at + CENTRAL, at + CENTRAL + (lengths[0] ?? 0))
    const local = archive.readUInt32LE(at + 42)
    const start = local + LOCAL + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20))
    const isStored = archive.readUInt16LE(at + 10) === 0
    files.set(name, (isStored ? packed : inflateRawSync(packed)).toString('utf8'))
    at += CENTRAL + lengths.reduce((sum, length) => sum + length)
  }
  return files
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (xml: string) => xml.replace(/<[^>]*>/g, '').replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all)
const columnOf = (reference: string) => [...reference.replace(/\d/g, '')].reduce((at, letter) => at * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** Cells of the first sheet as texts, row by row. */
export function sheetOf(file: Buffer): string[][] {
  const files = unzip(file)
  const shared = [...(files.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>(.*?)<\/si>/gs)].map(([, text]) => plain(text ?? ''))
  const rows = (files.get('xl/worksheets/sheet1.xml') ?? '').matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)
  return [...rows].map(([, cells]) => {
    const row: string[] = []
    for (const [, attributes = '', content = ''] of (cells ?? '').matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const text = plain(content)
      row[columnOf(/r="([A-Z]+\d+)"/.exec(attributes)?.[1] ?? '')] = /t="s"/.test(attributes) ? (shared[Number(text)] ?? '') : text
    }
    return Array.from(row, (cell) => cell ?? '')
  })
}
