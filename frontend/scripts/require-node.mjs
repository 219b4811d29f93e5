// Fails with one sentence where this Node cannot build the interface. The same versions stand in `engines`, which npm checks.
const { node } = process.versions
const [major, minor] = node.split('.').map(Number)
if (!(major === 22 ? minor >= 22 : major === 24 || major >= 26)) {
  console.error(`The interface needs Node 22.22 or newer, best Node 24; this is Node ${node}.`)
  process.exit(1)
}
