//! Traces over OTLP, if the settings name a collector. Without one nothing of this runs, and no span begins.
//!
//! Spans are created where the work is done, by the `tracing` crate and with the target [`SPANS`]; only this
//! module exports them. It exports no events and no spans of libraries: their texts may contain values.

mod collector;

use std::time::Duration;

use api::server_process::ServerProcess;
use http_api::request_span::RequestId;
use opentelemetry::{Context, KeyValue, trace::TracerProvider};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    resource::EnvResourceDetector,
    trace::{SdkTracerProvider, Span as SdkSpan, SpanData, SpanProcessor},
};
use store::spans::{SPANS, STATEMENTS};
use tracing::{Metadata, Subscriber, level_filters::LevelFilter, subscriber::Interest};
use tracing_subscriber::{Layer, filter::dynamic_filter_fn, layer, registry::LookupSpan};
use values::{Error, Result};

use self::collector::Collector;
use crate::config::TraceSettings;

/// Time for sending the last spans at the end of the process.
const END_WITHIN: Duration = Duration::from_secs(3);

/// Export of traces, if there is one.
#[derive(Debug, Default)]
pub struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Starts the export if the settings name a collector. Nothing is sent yet.
    pub fn start(settings: &TraceSettings, process: &ServerProcess) -> Result<Self> {
        let Some(endpoint) = &settings.otel_exporter_otlp_endpoint else { return Ok(Self(None)) };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            .with_http_client(Collector::new())
            .build()
            .map_err(|error| Error::internal(format!("traces cannot be sent to {endpoint}: {error}")))?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource(settings, process))
            .with_span_processor(RequestIds)
            .with_batch_exporter(exporter)
            .build();
        Ok(Self(Some(provider)))
    }

    /// Returns the layer that exports spans.
    pub fn layer<S>(&self) -> Option<impl Layer<S> + Send + Sync + use<S>>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let layer = tracing_opentelemetry::layer()
            .with_tracer(self.0.as_ref()?.tracer("stalhof"))
            .with_context_activation(false)
            .with_tracked_inactivity(false)
            .with_location(false)
            .with_threads(false)
            .with_target(false);
        let filter =
            dynamic_filter_fn(has_work)
                .with_callsite_filter(|metadata| {
                    if is_traced(metadata) { Interest::sometimes() } else { Interest::never() }
                })
                .with_max_level_hint(LevelFilter::INFO);
        Some(layer.with_filter(filter))
    }

    /// Sends the last spans, for a few seconds at most.
    pub async fn end(self) {
        let Some(provider) = self.0 else { return };
        // the library blocks, while the connection to the collector needs this thread
        let ended = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(END_WITHIN)).await;
        if !matches!(ended, Ok(Ok(()))) {
            tracing::warn!("the last traces were not sent");
        }
    }
}

fn resource(settings: &TraceSettings, process: &ServerProcess) -> Resource {
    let resource = Resource::builder_empty()
        .with_service_name("stalhof")
        .with_attribute(KeyValue::new("service.version", process.version.clone()))
        .with_attribute(KeyValue::new("service.instance.id", process.name.clone()))
        .with_detector(Box::new(EnvResourceDetector::new()));
    match settings.otel_service_name.as_ref().filter(|name| !name.is_empty()) {
        Some(name) => resource.with_service_name(name.clone()).build(),
        None => resource.build(),
    }
}

fn is_traced(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && metadata.target() == SPANS
}

/// True for statements of requests and background work, but not of idle queues.
fn has_work<S>(metadata: &Metadata<'_>, context: &layer::Context<'_, S>) -> bool
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    is_traced(metadata) && (metadata.name() != STATEMENTS || context.lookup_current().is_some())
}

/// Layer that adds the id of the request to all spans within its span.
#[derive(Debug)]
struct RequestIds;

impl SpanProcessor for RequestIds {
    fn on_start(&self, span: &mut SdkSpan, context: &Context) {
        if let Some(RequestId(id)) = context.get() {
            opentelemetry::trace::Span::set_attribute(span, KeyValue::new("stalhof.request_id", id.clone()));
        }
    }

    fn on_end(&self, _: SpanData) {}

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}
